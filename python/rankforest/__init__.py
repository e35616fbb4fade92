"""Learning to rank with ensembles of regression trees."""
