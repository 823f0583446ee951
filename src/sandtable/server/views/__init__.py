"""What the page sees: models that go over the wire, each beside the function that makes it from the engine's values."""
