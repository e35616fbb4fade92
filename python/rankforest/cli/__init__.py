"""The commands `ltr-train`, `-score`, `-eval`, `-convert`, `-tune`, `-blend` and `-prune`.

Data goes to stdout, everything else to stderr. The exit status is 0, 1 for a failed run, 2 for
unusable arguments or input, and 128 plus the signal's number where a signal ended the run (130 for
Ctrl-C). A file that a command writes appears whole or not at all.
"""
