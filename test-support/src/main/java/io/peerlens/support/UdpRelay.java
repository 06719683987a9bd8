package io.peerlens.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Passes packets on to a receiver and its answers back, except while it is deaf. On the loopback
 * interface.
 */
public final class UdpRelay implements AutoCloseable {

  private static final int LARGEST = 65_535;

  private final DatagramSocket front;
  private final InetSocketAddress receiver;
  private final Map<SocketAddress, DatagramSocket> behind = new ConcurrentHashMap<>();
  private volatile boolean deaf;

  private UdpRelay(DatagramSocket front, int receiver) {
    this.front = front;
    this.receiver = new InetSocketAddress(InetAddress.getLoopbackAddress(), receiver);
  }

  /** A relay on a random port. */
  public static UdpRelay to(int receiver) {
    UdpRelay relay = new UdpRelay(socket(), receiver);
    Thread.ofVirtual().start(relay::forth);
    return relay;
  }

  private static DatagramSocket socket() {
    try {
      return new DatagramSocket(0, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return front.getLocalPort();
  }

  /** From now on packets are lost, or not. */
  public void deaf(boolean loses) {
    deaf = loses;
  }

  private void forth() {
    byte[] buffer = new byte[LARGEST];
    while (!front.isClosed()) {
      DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
      try {
        front.receive(packet);
        if (deaf) {
          continue;
        }
        SocketAddress sender = packet.getSocketAddress();
        DatagramSocket to = behind.computeIfAbsent(sender, this::open);
        to.send(new DatagramPacket(packet.getData(), packet.getLength(), receiver));
      } catch (IOException e) {
        // It was closed, or nobody listens there.
      }
    }
  }

  private DatagramSocket open(SocketAddress sender) {
    DatagramSocket socket = socket();
    Thread.ofVirtual().start(() -> back(socket, sender));
    return socket;
  }

  private void back(DatagramSocket socket, SocketAddress sender) {
    byte[] buffer = new byte[LARGEST];
    while (!socket.isClosed()) {
      DatagramPacket answer = new DatagramPacket(buffer, buffer.length);
      try {
        socket.receive(answer);
        front.send(
            new DatagramPacket(
                Arrays.copyOf(buffer, answer.getLength()), answer.getLength(), sender));
      } catch (IOException e) {
        // It was closed, or nobody listens there.
      }
    }
  }

  @Override
  public void close() {
    front.close();
    behind.values().forEach(DatagramSocket::close);
  }
}
