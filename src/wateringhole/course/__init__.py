"""Grades a class: from a roster of students to a gradebook, with feedback for each student."""
