"""What if: simulated waits beside the recorded ones, changes of policy and machine job by job, and the page that shows them."""
