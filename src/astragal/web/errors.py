"""The errors of a request, each with the status that goes with its sentence."""

from __future__ import annotations

from astragal.errors import AstragalError


class RequestError(AstragalError):
    """A request that cannot be answered; other errors a user causes have status 422."""

    status = 422


class Missing(RequestError):
    """What was asked for is not there, or not any more."""

    status = 404


class Conflict(RequestError):
    """What was asked for does not fit what is going on."""

    status = 409


class TooMany(RequestError):
    """There is no room for more."""

    status = 429
