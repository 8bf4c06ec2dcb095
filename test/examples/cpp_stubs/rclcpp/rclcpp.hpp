// What examples/cpp_client uses of rclcpp, declared as there (ROS 2 Jazzy).
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace rclcpp
{
enum class FutureReturnCode {SUCCESS, INTERRUPTED, TIMEOUT};

class Logger {};

class Node
{
public:
  using SharedPtr = std::shared_ptr<Node>;
  explicit Node(const std::string & name);
  Logger get_logger() const;
};

std::vector<std::string> init_and_remove_ros_arguments(int argc, char const * const * argv);
bool shutdown();

template<typename FutureT, typename RepT, typename PeriodT>
FutureReturnCode spin_until_future_complete(
  std::shared_ptr<Node> node, const FutureT & future, std::chrono::duration<RepT, PeriodT> timeout);
}  // namespace rclcpp

// its arguments are checked as those of printf
__attribute__((format(printf, 2, 3))) void told(rclcpp::Logger, const char * format, ...);
#define RCLCPP_INFO(logger, ...) told(logger, __VA_ARGS__)
#define RCLCPP_ERROR(logger, ...) told(logger, __VA_ARGS__)
