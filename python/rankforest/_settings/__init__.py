"""Parameters as users give them, checked, and as the core takes them."""
