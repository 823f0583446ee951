"""`python -m sandtable.server.schema` prints the OpenAPI schema, from which the page's types are made."""

from __future__ import annotations

import json
import sys

from sandtable.server.app import create_app


def main() -> None:
    json.dump(create_app().openapi(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
