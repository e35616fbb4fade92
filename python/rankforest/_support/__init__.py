"""What every part of the package uses: paths, files, tables, warnings."""
