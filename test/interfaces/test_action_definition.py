"""Messages and services of actions; the hashes are those ROS 2's own generator computes."""

import pytest

from controlit_ros.interfaces import DefinitionError, TypeBook, decode, encode, new, type_hash

ACTION = "control_msgs/action/FollowJointTrajectory"
KNOWN = {
    f"{ACTION}_SendGoal": "b13789dddc325a7a962825c45e28c77d37237ec129dd0c34dc5994562938c57f",
    f"{ACTION}_GetResult": "e3ceb38e3e1867c8dc0f46014df26e90eb93422f27e9e97f936e07f94be4bc8b",
    f"{ACTION}_FeedbackMessage": "80398fcb9674a79081a9906e2ccf0c804dd7cb15e22e362e606ee87186beab71",
    "control_msgs/action/GripperCommand_SendGoal": (
        "6bf8cc4ce80cd499e7dd3258c03c50c3fa6672b469ff8355339ef1df77fcd212"
    ),
    "control_msgs/action/GripperCommand_GetResult": (
        "7e60a7606063d4a2728d21badac099e68b734a196ac3ab42d1d4c668eb0bb3cd"
    ),
    "control_msgs/action/GripperCommand_FeedbackMessage": (
        "392ff03fcd872f9dc2405cbeb2897fcf011ad9998458b6aa85c603b8a49e431d"
    ),
    "control_msgs/action/ParallelGripperCommand_SendGoal": (
        "567c37373fed1260adbe047415688c73e4f3e94b2e3982761ecc71fd63d710a7"
    ),
    "control_msgs/action/ParallelGripperCommand_GetResult": (
        "e4c7f0e8a831ce5625ed20abcd13796406d945f92ebc7ad5972e0b0d29b381bd"
    ),
    "control_msgs/action/ParallelGripperCommand_FeedbackMessage": (
        "c61f4cf99d06c5a3e24bed17c2910bdf66a30d89461e2ac7b5fd538a34b022cc"
    ),
    "action_msgs/srv/CancelGoal": (
        "573d8b0a534451d7bc2ac8c5ffde8ac14b8593b7001175d0cd6516dcbeb8689a"
    ),
    "action_msgs/msg/GoalStatusArray": (
        "6c1684b00f177d37438febe6e709fc4e2b0d4248dca4854946f9ed8b30cda83e"
    ),
    "diagnostic_msgs/msg/DiagnosticArray": (
        "5a8a36efb05fb25070fa0fb3810290c0e6cd4862b54a8fb975a1ee8dc55a333e"
    ),
    "lifecycle_msgs/msg/TransitionEvent": (
        "d5f8873a2f0146498f812d7885c7327ce27e463d36811d8792f35ee38c0d6c38"
    ),
    "lifecycle_msgs/srv/ChangeState": (
        "356fe34f0475a43acf54542013af4167b0e729f77ea22ffb045c6ad8e20668e5"
    ),
    "lifecycle_msgs/srv/GetAvailableTransitions": (
        "59b7ecefce0982a8a844b9f2c4f14764c1c4543cc55e72924e2aa4adad83e9bc"
    ),
    "lifecycle_msgs/srv/GetState": (
        "800a0a5aae599782b02932de0caf563f6dc4e7e94b794eadde075ba2cbef9795"
    ),
    "trajectory_msgs/msg/JointTrajectory": (
        "179b33eba59d676f6d967ac71fe35e7ca2f64b2f3928f4a018cec115e213796e"
    ),
}


@pytest.mark.parametrize(("type_name", "digest"), KNOWN.items())
def test_known_hash(type_name, digest):
    assert type_hash(type_name) == f"RIHS01_{digest}"


def test_parts_of_an_action(tmp_path):
    book = TypeBook(tmp_path)
    book.define("x/action/Fold", "int32 times\n---\nbool done\n---\nfloat64 share\n")
    assert {"x/action/Fold_SendGoal", "x/action/Fold_GetResult"} <= set(book.service_types)
    request = book.new("x/action/Fold_SendGoal_Request", goal={"times": 3})
    assert request.goal.times == 3
    assert len(request.goal_id.uuid) == 16
    answer = book.new("x/action/Fold_GetResult_Response", status=4, result={"done": True})
    assert (answer.status, answer.result.done) == (4, True)
    feedback = book.new("x/action/Fold_FeedbackMessage", feedback={"share": 0.5})
    assert feedback.feedback.share == 0.5


@pytest.mark.parametrize("text", ["int32 a\n", "int32 a\n---\nint32 b\n", "---\n---\n---\n"])
def test_texts_that_are_no_actions(tmp_path, text):
    with pytest.raises(DefinitionError, match="expected two between goal, result and feedback"):
        TypeBook(tmp_path).define("x/action/Fold", text)


def test_goals_travel():
    goal = new(
        f"{ACTION}_SendGoal_Request",
        goal={
            "trajectory": {
                "joint_names": ["a"],
                "points": [{"positions": [1.0], "time_from_start": {"sec": 1, "nanosec": 5}}],
            },
            "path_tolerance": [{"name": "a", "position": 0.1}],
        },
    )
    name = f"{ACTION}_SendGoal_Request"
    assert decode(name, encode(name, goal)) == goal
