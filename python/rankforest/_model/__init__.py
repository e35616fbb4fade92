"""The parts that a model is put together from, and the forms that it is written in."""
