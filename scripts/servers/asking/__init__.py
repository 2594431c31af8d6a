"""Small clients that prove the set-up: for each kind of server a function that fetches what it serves.

They share no code with the project, and fail with AssertionError or an error of the standard library.
"""

from . import dictionary, files, ftp, gopher, http, nntp, prospero, terminal, wais, whois

ASK = {
    "ftp": ftp.ask,
    "gopher": gopher.ask,
    "nntp": nntp.ask,
    "telnet": terminal.ask_telnet,
    "rlogin": terminal.ask_rlogin,
    "tn3270": terminal.ask_tn3270,
    "whois": whois.ask,
    "wais": wais.ask,
    "prospero": prospero.ask,
    "dict": dictionary.ask_dict,
    "finger": dictionary.ask_finger,
    "http": http.ask,
    "proxy": http.ask_proxy,
}
__all__ = ["ASK", "files"]
