package io.peerlens.notify.channel;

import io.peerlens.notify.channel.SnmpSettings.AuthProtocol;
import io.peerlens.notify.channel.SnmpSettings.Credentials;
import io.peerlens.notify.channel.SnmpSettings.PrivProtocol;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.SecretValues;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.snmp4j.CommunityTarget;
import org.snmp4j.MessageDispatcherImpl;
import org.snmp4j.PDU;
import org.snmp4j.ScopedPDU;
import org.snmp4j.Snmp;
import org.snmp4j.Target;
import org.snmp4j.UserTarget;
import org.snmp4j.event.ResponseEvent;
import org.snmp4j.mp.MPv2c;
import org.snmp4j.mp.MPv3;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.security.AuthHMAC128SHA224;
import org.snmp4j.security.AuthHMAC192SHA256;
import org.snmp4j.security.AuthHMAC256SHA384;
import org.snmp4j.security.AuthHMAC384SHA512;
import org.snmp4j.security.PrivAES128;
import org.snmp4j.security.PrivAES192;
import org.snmp4j.security.PrivAES256;
import org.snmp4j.security.SecurityLevel;
import org.snmp4j.security.SecurityProtocols;
import org.snmp4j.security.USM;
import org.snmp4j.security.UsmUser;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.transport.DefaultUdpTransportMapping;

/**
 * SNMP session with one address and one set of credentials. Its users are its own, so targets may
 * have users of the same name with other passwords.
 */
final class SnmpSession implements AutoCloseable {

  /** A confirmation that is lost is asked for again, within the time of the attempt. */
  private static final int RETRIES = 2;

  /** Around the PDU: version, community, and lengths. */
  private static final int V2C_OVERHEAD = 20;

  /** Around the PDU: header, engine id, user, digest, and padding, at their longest. */
  private static final int V3_OVERHEAD = 200;

  static {
    SecurityProtocols protocols = SecurityProtocols.getInstance();
    protocols.addAuthenticationProtocol(new AuthHMAC128SHA224());
    protocols.addAuthenticationProtocol(new AuthHMAC192SHA256());
    protocols.addAuthenticationProtocol(new AuthHMAC256SHA384());
    protocols.addAuthenticationProtocol(new AuthHMAC384SHA512());
    protocols.addPrivacyProtocol(new PrivAES128());
    protocols.addPrivacyProtocol(new PrivAES192());
    protocols.addPrivacyProtocol(new PrivAES256());
  }

  private final Snmp snmp;
  private final Target<UdpAddress> target;
  private final @Nullable USM usm;
  private final OctetString context;
  private final int room;

  /**
   * A session.
   *
   * @param address where to, checked
   * @throws IOException if no socket can be had
   * @throws SecretException if a password is missing or too short
   */
  SnmpSession(SnmpSettings settings, InetAddress address, SnmpEngine engine, SecretValues secrets)
      throws IOException {
    UdpAddress to = new UdpAddress(address, settings.port());
    MessageDispatcherImpl dispatcher = new MessageDispatcherImpl();
    switch (settings.credentials()) {
      case Credentials.Community(var community) -> {
        String value = secrets.value(community.name());
        dispatcher.addMessageProcessingModel(new MPv2c());
        CommunityTarget<UdpAddress> receiver = new CommunityTarget<>();
        receiver.setCommunity(octets(value));
        receiver.setVersion(SnmpConstants.version2c);
        target = receiver;
        usm = null;
        context = new OctetString();
        room = TrapPdu.MAX_PACKET - V2C_OVERHEAD - octets(value).length();
      }
      case Credentials.User user -> {
        OctetString name = octets(user.name());
        usm =
            new USM(SecurityProtocols.getInstance(), new OctetString(engine.id()), engine.boots());
        usm.addUser(
            new UsmUser(
                name,
                auth(user.authProtocol()),
                password(secrets, user.authPassword().name()),
                priv(user.privProtocol()),
                password(secrets, user.privPassword().name())));
        dispatcher.addMessageProcessingModel(new MPv3(usm));
        UserTarget<UdpAddress> receiver = new UserTarget<>();
        receiver.setSecurityName(name);
        receiver.setSecurityLevel(SecurityLevel.AUTH_PRIV);
        receiver.setVersion(SnmpConstants.version3);
        target = receiver;
        context = octets(user.context() == null ? "" : user.context());
        room = TrapPdu.MAX_PACKET - V3_OVERHEAD - context.length();
      }
    }
    target.setAddress(to);
    target.setRetries(RETRIES);
    target.setTimeout(Math.max(100, settings.timeout().toMillis() / (RETRIES + 1)));
    DefaultUdpTransportMapping transport =
        new DefaultUdpTransportMapping(
            new UdpAddress(
                InetAddress.ofLiteral(address instanceof Inet6Address ? "::" : "0.0.0.0"), 0));
    snmp = new Snmp(dispatcher, transport);
    if (settings.inform()) {
      snmp.listen(); // for confirmations
    }
  }

  /** Bytes that the PDU may have. */
  int room() {
    return room;
  }

  /** An empty PDU for this session. */
  PDU pdu(SnmpEngine engine, boolean inform) {
    PDU pdu;
    if (usm == null) {
      pdu = new PDU();
    } else {
      ScopedPDU scoped = new ScopedPDU();
      scoped.setContextName(context);
      if (!inform) {
        scoped.setContextEngineID(new OctetString(engine.id()));
      }
      pdu = scoped;
    }
    pdu.setType(inform ? PDU.INFORM : PDU.TRAP);
    return pdu;
  }

  /** Sends a trap, of which nothing is ever heard again. */
  synchronized void trap(PDU pdu, SnmpEngine engine, int engineTime) throws IOException {
    if (usm != null) {
      usm.setLocalEngine(new OctetString(engine.id()), engine.boots(), engineTime);
    }
    snmp.notify(pdu, target);
  }

  /**
   * Sends an inform and waits.
   *
   * @return the confirmation or a report; null = none came
   */
  @Nullable PDU inform(PDU pdu) throws IOException {
    ResponseEvent<UdpAddress> event = snmp.inform(pdu, target);
    if (event == null) {
      return null;
    }
    if (event.getError() != null) {
      throw new IOException(event.getError());
    }
    return event.getResponse();
  }

  private static OctetString password(SecretValues secrets, String name) {
    OctetString password = octets(secrets.value(name));
    if (password.length() < USM.RFC3414_11_2_MIN_PASSWORD_LENGTH) {
      throw new SecretException(
          "The secret "
              + name
              + " is shorter than "
              + USM.RFC3414_11_2_MIN_PASSWORD_LENGTH
              + " characters, which SNMP v3 does not allow");
    }
    return password;
  }

  private static OID auth(AuthProtocol protocol) {
    return switch (protocol) {
      case SHA_224 -> AuthHMAC128SHA224.ID;
      case SHA_256 -> AuthHMAC192SHA256.ID;
      case SHA_384 -> AuthHMAC256SHA384.ID;
      case SHA_512 -> AuthHMAC384SHA512.ID;
    };
  }

  private static OID priv(PrivProtocol protocol) {
    return switch (protocol) {
      case AES_128 -> PrivAES128.ID;
      case AES_192 -> PrivAES192.ID;
      case AES_256 -> PrivAES256.ID;
    };
  }

  private static OctetString octets(String text) {
    return new OctetString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    try {
      snmp.close();
    } catch (IOException e) {
      // It is of no use any more.
    }
  }
}
