"""The operator's screen: a page in browsers that shows a running controller and steers it."""
