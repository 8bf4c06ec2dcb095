// Moves the goal of a task, tells how far it is, and cancels what takes too long.
//
//     ros2 run cpp_client move_task /dreamer_controller RightHandPosition 0.30 -0.30 1.00

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <controlit/action/move_task.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>

using MoveTask = controlit::action::MoveTask;
using Handle = rclcpp_action::ClientGoalHandle<MoveTask>;
using namespace std::chrono_literals;

constexpr auto PATIENCE = 10s;  // for the controller to be there, and for each of its answers
constexpr auto LONGEST = 30s;   // that the motion may take

int main(int argc, char ** argv)
{
  const std::vector<std::string> words = rclcpp::init_and_remove_ros_arguments(argc, argv);
  if (words.size() < 4) {
    return EXIT_FAILURE;  // move_task CONTROLLER TASK NUMBER...
  }
  const auto node = std::make_shared<rclcpp::Node>("move_task");
  const auto client = rclcpp_action::create_client<MoveTask>(node, words[1] + "/move_task");
  if (!client->wait_for_action_server(PATIENCE)) {
    RCLCPP_ERROR(node->get_logger(), "no controller %s", words[1].c_str());
    return EXIT_FAILURE;
  }

  MoveTask::Goal goal;
  goal.task = words[2];
  for (std::size_t i = 3; i < words.size(); ++i) {
    goal.goal.push_back(std::stod(words[i]));
  }
  goal.speed = 0.2;           // [m/s]
  goal.goal_tolerance = 0.02;  // [m] of the robot, not of the goal alone

  auto options = rclcpp_action::Client<MoveTask>::SendGoalOptions();
  options.feedback_callback = [&node](
    Handle::SharedPtr, const std::shared_ptr<const MoveTask::Feedback> feedback) {
      RCLCPP_INFO(
        node->get_logger(), "%3.0f %%, %.2f s left, error %.4f",
        100.0 * feedback->progress, feedback->time_left, feedback->error);
    };

  auto sent = client->async_send_goal(goal, options);
  if (rclcpp::spin_until_future_complete(node, sent, PATIENCE) !=
    rclcpp::FutureReturnCode::SUCCESS)
  {
    RCLCPP_ERROR(node->get_logger(), "no answer");
    return EXIT_FAILURE;
  }
  const auto handle = sent.get();
  if (!handle) {
    RCLCPP_ERROR(node->get_logger(), "rejected: diagnostics/warnings and /diagnostics say why");
    return EXIT_FAILURE;
  }

  auto ended = client->async_get_result(handle);
  if (rclcpp::spin_until_future_complete(node, ended, LONGEST) !=
    rclcpp::FutureReturnCode::SUCCESS)
  {
    auto cancelled = client->async_cancel_goal(handle);  // it comes to rest where it is
    rclcpp::spin_until_future_complete(node, cancelled, PATIENCE);
    RCLCPP_ERROR(node->get_logger(), "it took too long, and is cancelled");
    return EXIT_FAILURE;
  }
  const auto result = ended.get().result;
  RCLCPP_INFO(
    node->get_logger(), "code %d, error %.4f: %s",
    result->code, result->error, result->message.c_str());
  rclcpp::shutdown();
  return result->code == MoveTask::Result::SUCCESSFUL ? EXIT_SUCCESS : EXIT_FAILURE;
}
