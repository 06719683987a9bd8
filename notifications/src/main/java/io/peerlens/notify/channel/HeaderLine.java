package io.peerlens.notify.channel;

/** A header of a request, an answer or a mail, as it is shown: secrets are names. */
public record HeaderLine(String name, String value) {}
