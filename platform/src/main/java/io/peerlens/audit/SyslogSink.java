package io.peerlens.audit;

import io.peerlens.api.model.AuditEntry;
import io.peerlens.api.model.AuditOutcome;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Syslog receiver of the audit log: RFC 5424 messages with the entry as JSON, framed by their
 * length (RFC 6587), over TCP or TLS (RFC 5425). Syslog confirms nothing. So each batch has a
 * connection of its own, which ends with ours, and the receiver's end of it says that it has read
 * all before.
 */
final class SyslogSink implements AuditExport.Sink {

  /** Facility "log audit". */
  private static final int FACILITY = 13;

  private static final int NOTICE = 5;
  private static final int WARNING = 4;

  /** What usual receivers take; rsyslog cuts after 8 KiB. */
  private static final int LONGEST = 7_500;

  private static final int MOST_RELATED = 50;
  private static final int CONNECT_MILLIS = 5_000;
  private static final int END_MILLIS = 10_000;

  private final JsonMapper json;
  private final URI receiver;
  private final SSLSocketFactory tls;
  private final String node;

  /**
   * A receiver.
   *
   * @param receiver {@code tcp://host:port} or {@code tls://host:port}
   * @param node who says it
   */
  SyslogSink(JsonMapper json, URI receiver, SSLSocketFactory tls, String node) {
    this.json = json;
    this.receiver = receiver;
    this.tls = tls;
    this.node = node.replaceAll("[^!-~]", "_");
  }

  @Override
  public void send(List<AuditEntry> entries) throws IOException {
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(receiver.getHost(), receiver.getPort()), CONNECT_MILLIS);
      plain.setSoTimeout(END_MILLIS);
      if (receiver.getScheme().equals("tls")) {
        try (SSLSocket secure =
            (SSLSocket) tls.createSocket(plain, receiver.getHost(), receiver.getPort(), true)) {
          SSLParameters parameters = secure.getSSLParameters();
          parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the name in the certificate
          secure.setSSLParameters(parameters);
          secure.startHandshake();
          send(entries, secure);
        }
      } else {
        send(entries, plain);
      }
    }
  }

  private void send(List<AuditEntry> entries, Socket socket) throws IOException {
    OutputStream out = new BufferedOutputStream(socket.getOutputStream());
    for (AuditEntry entry : entries) {
      byte[] message = message(entry);
      out.write((message.length + " ").getBytes(StandardCharsets.US_ASCII));
      out.write(message);
    }
    out.flush();
    socket.shutdownOutput();
    InputStream in = socket.getInputStream();
    try {
      while (in.read() >= 0) {
        // Receivers have nothing to say.
      }
    } catch (SocketTimeoutException e) {
      // It keeps its end open, but the connection is whole.
    }
  }

  private byte[] message(AuditEntry entry) {
    byte[] text = json.writeValueAsBytes(entry);
    if (text.length > LONGEST && entry.getRelated().size() > MOST_RELATED) {
      entry.setRelated(entry.getRelated().subList(0, MOST_RELATED));
      text = json.writeValueAsBytes(entry);
    }
    int severity = entry.getOutcome() == AuditOutcome.SUCCEEDED ? NOTICE : WARNING;
    String operation = entry.getOperation().replaceAll("[^!-~]", "_");
    String head =
        "<%d>1 %s %s peerlens - %s - "
            .formatted(
                FACILITY * 8 + severity,
                entry.getAt(),
                node,
                operation.substring(0, Math.min(32, operation.length())));
    byte[] start = head.getBytes(StandardCharsets.US_ASCII);
    byte[] message = Arrays.copyOf(start, start.length + text.length);
    System.arraycopy(text, 0, message, start.length, text.length);
    return message;
  }

  @Override
  public void close() {}
}
