"""Two processes go on with one run at the same moment: one does, and calls nothing twice."""

from disturbed import Disturbed, comparable, wait_until
from fault_table import FaultTable


def test_one_of_two_resumes_goes_on_and_the_other_says_who_does(
    disturbed: Disturbed, undisturbed: str, table: FaultTable
) -> None:
    """The lease decides, however the two are interleaved; no trial is called by both."""
    go = disturbed.folder / "go"
    disturbed.environ["FAULTS_GO"] = str(go)
    both = [disturbed.begin()]
    wait_until(lambda: disturbed.calls().total() > 0, both[0])
    both.append(disturbed.go_on())
    assert both[1].wait() == 2
    assert f"process {both[0].pid}" in both[1].said()
    assert not disturbed.calls(both[1].pid)
    both[0].kill()
    before = disturbed.durable()
    racing = [disturbed.go_on(), disturbed.go_on()]
    wait_until(lambda: any(one.ended() for one in racing))
    go.touch()
    codes = sorted(one.wait() for one in racing)
    winner, loser = sorted(racing, key=lambda one: one.wait() == 2)
    assert loser.wait() == 2, (codes, loser.said())
    assert not disturbed.calls(loser.pid)
    repeated = disturbed.account_for(winner, before)
    assert comparable(winner.payload()) == undisturbed
    known = len(disturbed.acknowledged())
    table.add("two resumes at once", kills=2, acknowledged=known, lost=0, repeated=repeated)
