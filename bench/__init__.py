"""`python -m bench`: measures what orderdesk costs in time, requests and dollars."""
