"""E-mail, where a server for it is set."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

from sandtable.server.errors import logger
from sandtable.server.settings import Settings

PATIENCE = 20.0  # seconds


class Mailer:
    def __init__(self, settings: Settings) -> None:
        self._url = urlsplit(settings.smtp_url)
        self._sender = settings.mail_from or f"sandtable@{urlsplit(settings.public_url).hostname or 'localhost'}"

    @property
    def works(self) -> bool:
        return bool(self._url.hostname)

    async def send(self, to: str, subject: str, text: str) -> bool:
        """Whether it was taken. What goes wrong is only logged: nobody's game depends on it."""
        if not self.works:
            return False
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._sender, to, subject
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        try:
            await asyncio.to_thread(self._deliver, message)
        except (OSError, smtplib.SMTPException) as error:
            logger.warning("an e-mail could not be sent: %s", error)
            return False
        return True

    def _deliver(self, message: EmailMessage) -> None:
        host, port = self._url.hostname or "", self._url.port or (465 if self._url.scheme == "smtps" else 587)
        secure = ssl.create_default_context()
        if self._url.scheme == "smtps":
            client: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=PATIENCE, context=secure)
        else:
            client = smtplib.SMTP(host, port, timeout=PATIENCE)
        with client:
            client.ehlo()
            if self._url.scheme == "smtp" and client.has_extn("starttls"):
                client.starttls(context=secure)
            if self._url.username:
                client.login(unquote(self._url.username), unquote(self._url.password or ""))
            client.send_message(message)
