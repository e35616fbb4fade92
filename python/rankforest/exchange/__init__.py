"""Models written for other systems and read from them, and the check that both score alike.

One module holds one format. All of them speak of `forest.Forest`: trees as arrays of nodes, and how
a system compares and adds. `to_target` and `from_model` make one of a model, `to_model` makes a
model of one, and `evaluate` scores one by the rules of its system. ``docs/exchange.md`` says what
each format can hold.
"""
