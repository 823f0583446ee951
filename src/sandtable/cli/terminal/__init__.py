"""The terminal game: questions, menus, the story of what happened, and the commands beside orders."""
