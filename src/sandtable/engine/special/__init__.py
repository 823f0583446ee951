"""Rights and limits of single powers, one file each; who has them is told by `powers.yaml` (`world.specials`)."""
