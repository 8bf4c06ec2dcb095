// What examples/cpp_client uses of rclcpp_action, declared as there (ROS 2 Jazzy).
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>

#include <rclcpp/rclcpp.hpp>

namespace rclcpp_action
{
enum class ResultCode {UNKNOWN, SUCCEEDED, CANCELED, ABORTED};

template<typename ActionT>
class ClientGoalHandle
{
public:
  using SharedPtr = std::shared_ptr<ClientGoalHandle>;
  using FeedbackCallback = std::function<void (
        SharedPtr, const std::shared_ptr<const typename ActionT::Feedback>)>;
  struct WrappedResult
  {
    ResultCode code;
    std::shared_ptr<typename ActionT::Result> result;
  };
};

template<typename ActionT>
class Client
{
public:
  using SharedPtr = std::shared_ptr<Client>;
  using Handle = ClientGoalHandle<ActionT>;
  struct CancelResponse {};
  struct SendGoalOptions
  {
    typename Handle::FeedbackCallback feedback_callback;
  };

  template<typename RepT, typename PeriodT>
  bool wait_for_action_server(std::chrono::duration<RepT, PeriodT> timeout);
  std::shared_future<typename Handle::SharedPtr> async_send_goal(
    const typename ActionT::Goal & goal, const SendGoalOptions & options = SendGoalOptions());
  std::shared_future<typename Handle::WrappedResult> async_get_result(
    typename Handle::SharedPtr handle);
  std::shared_future<std::shared_ptr<CancelResponse>> async_cancel_goal(
    typename Handle::SharedPtr handle);
};

template<typename ActionT, typename NodeT>
typename Client<ActionT>::SharedPtr create_client(NodeT node, const std::string & name);
}  // namespace rclcpp_action
