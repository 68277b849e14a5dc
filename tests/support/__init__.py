"""What tests of several folders share: strategies, fakes, processes."""
