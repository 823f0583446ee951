"""Basic Training: lessons on the real engine. A lesson is data; see `lesson.py` for its form."""

from sandtable.training.coach import Held, Progress, judge, next_order, progress
from sandtable.training.instructor import INSTRUCTOR, Instructor
from sandtable.training.lesson import Lesson, LessonError, Step, lesson, lessons, parse_lesson
from sandtable.training.strategy import Advice, advice

__all__ = [
    "INSTRUCTOR",
    "Advice",
    "Held",
    "Instructor",
    "Lesson",
    "LessonError",
    "Progress",
    "Step",
    "advice",
    "judge",
    "lesson",
    "lessons",
    "next_order",
    "parse_lesson",
    "progress",
]
