"""Lessons of Basic Training: what was read, and what is done."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lesson_games",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("lesson", sa.Text(), nullable=False),
        sa.Column("read", sa.Integer(), nullable=False),
        sa.Column("begun", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_lesson_games_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", name="pk_lesson_games"),
    )
    op.create_table(
        "lessons_done",
        sa.Column("lesson", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("lesson", name="pk_lessons_done"),
    )


def downgrade() -> None:
    op.drop_table("lessons_done")
    op.drop_table("lesson_games")
