"""What players that are other programs need: processes, the engine protocol, OpenSpiel's games beside ours."""
