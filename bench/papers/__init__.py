"""The tables of papers as experiments: `python -m bench.papers PAPER --table N --data FOLDER`."""
