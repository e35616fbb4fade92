"""What blending, pruning and the choice of exits are made of."""
