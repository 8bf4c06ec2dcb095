"""Where the base of a robot is, from its own sensors."""

from controlit_ros.estimation.base_estimator import BaseEstimator, EstimatorParts

__all__ = ["BaseEstimator", "EstimatorParts"]
