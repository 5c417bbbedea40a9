"""`python -m bench`: what orderdesk costs in time, requests and dollars, measured."""
