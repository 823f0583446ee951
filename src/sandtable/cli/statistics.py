def print_statistics(out, game):
    pass
