"""Games of editions from outside keep the edition's files."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("edition", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("games", "edition")
