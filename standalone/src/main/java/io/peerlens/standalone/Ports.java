package io.peerlens.standalone;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Ports of this machine. */
final class Ports {

  private static final int CONNECT_TIMEOUT_MS = 500;

  private Ports() {}

  /**
   * Whether a server can listen there. Asks by connecting as well, because some systems let one
   * server bind an address while another holds the same port on all addresses.
   */
  static boolean isFree(int port) {
    InetAddress loopback = loopback();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(loopback, port), CONNECT_TIMEOUT_MS);
      return false;
    } catch (IOException e) {
      // Nobody answers; the port may be reserved or forbidden all the same.
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(loopback, port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  static int anyFree() throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(loopback(), 0));
      return socket.getLocalPort();
    }
  }

  /** Refuses ports of a start that are taken. */
  static void require(Options options) {
    require(options.port(), "the pages", "--port");
    if (options.https() != null) {
      require(options.https().port(), "https", "--https");
    }
    if (options.kafka() == null) {
      require(options.kafkaPort(), "Kafka", "--kafka-port");
    }
  }

  /**
   * Refuses a port that is taken.
   *
   * @param use what it is for, as in "the pages"
   * @param option how to choose another
   */
  private static void require(int port, String use, String option) {
    if (!isFree(port)) {
      throw new Refusal(
          "Port "
              + port
              + " for "
              + use
              + " is taken by another program"
              + (port < 1024 ? " or needs more rights" : "")
              + ". Choose another with "
              + option
              + " PORT.");
    }
  }

  private static InetAddress loopback() {
    return InetAddress.ofLiteral("127.0.0.1");
  }
}
