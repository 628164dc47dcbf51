"""Programs of others: what comes of a run."""

from wateringhole.conformance.programs import Failure, ProgramAnswer, failed


def test_an_answer_says_why_there_is_none_and_an_error_that_a_program_prints_is_one() -> None:
    assert failed(Failure.CRASH, "it ends with code 3").why == "it ends with code 3"
    assert ProgramAnswer({"error": "bad input"}).why == ""
