package io.peerlens.notify.channel;

import io.peerlens.alerttemplates.Message;
import io.peerlens.alerttemplates.SecretMarks;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.snmp4j.PDU;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.smi.Counter64;
import org.snmp4j.smi.Gauge32;
import org.snmp4j.smi.Integer32;
import org.snmp4j.smi.IpAddress;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.TimeTicks;
import org.snmp4j.smi.Variable;
import org.snmp4j.smi.VariableBinding;

/**
 * Variable bindings of a trap, cut so that they fit into one packet. Receivers count on all
 * variables being there in order, so texts are cut and nothing is left out.
 */
final class TrapPdu {

  /** What fits into an Ethernet frame without being parted. */
  static final int MAX_PACKET = 1472;

  /** Texts are not cut below this as long as others are longer. */
  private static final int SHORT = 64;

  private static final String CUT = "...";

  /**
   * What is cut first: symptoms, then what the alert says, then its page; in our MIB, in that of
   * vROps and in that of vCOps.
   */
  private static final List<OID> CUT_FIRST =
      List.of(
          new OID("1.3.6.1.4.1.32473.1.1.14.0"),
          new OID("1.3.6.1.4.1.6876.4.50.1.2.6.0"),
          new OID("1.3.6.1.4.1.6876.4.5.1.2.6.0"),
          new OID("1.3.6.1.4.1.32473.1.1.9.0"),
          new OID("1.3.6.1.4.1.6876.4.50.1.2.9.0"),
          new OID("1.3.6.1.4.1.6876.4.5.1.2.9.0"),
          new OID("1.3.6.1.4.1.32473.1.1.13.0"),
          new OID("1.3.6.1.4.1.6876.4.50.1.2.7.0"),
          new OID("1.3.6.1.4.1.6876.4.5.1.2.7.0"));

  private TrapPdu() {}

  /**
   * Fills a PDU.
   *
   * @param upTime hundredths of a second
   * @param room bytes of the packet that are left for the PDU
   * @throws IllegalArgumentException if a variable is no such thing, or all of them are too many
   */
  static void fill(PDU pdu, Message.Trap trap, long upTime, int room) {
    pdu.add(new VariableBinding(SnmpConstants.sysUpTime, new TimeTicks(upTime)));
    pdu.add(new VariableBinding(SnmpConstants.snmpTrapOID, oid("trapOid", trap.trapOid())));
    for (Message.VarBind bind : trap.varBinds()) {
      pdu.add(new VariableBinding(oid("oid", bind.oid()), value(bind)));
    }
    fit(pdu, room);
  }

  private static Variable value(Message.VarBind bind) {
    String text = SecretMarks.show(bind.value());
    try {
      return switch (bind.type()) {
        case OCTET_STRING -> new OctetString(text.getBytes(StandardCharsets.UTF_8));
        case INTEGER -> new Integer32(Integer.parseInt(text.strip()));
        case GAUGE -> new Gauge32(unsigned(text));
        case COUNTER64 -> new Counter64(Long.parseUnsignedLong(text.strip()));
        case TIME_TICKS -> new TimeTicks(unsigned(text));
        case OBJECT_IDENTIFIER -> oid("value of " + bind.oid(), text);
        case IP_ADDRESS -> ip(text.strip());
      };
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "The variable %s is \"%s\", which is no %s"
              .formatted(bind.oid(), text, bind.type().word()),
          e);
    }
  }

  private static long unsigned(String text) {
    long value = Long.parseLong(text.strip());
    if (value < 0 || value > 0xffff_ffffL) {
      throw new NumberFormatException(text);
    }
    return value;
  }

  private static IpAddress ip(String text) {
    if (!text.matches("\\d{1,3}(\\.\\d{1,3}){3}")) {
      throw new NumberFormatException(text);
    }
    return new IpAddress(text);
  }

  private static OID oid(String what, String text) {
    String plain = text.strip();
    if (!plain.matches("[012](\\.\\d{1,10}){1,127}")) {
      throw new IllegalArgumentException(
          "\"%s\" (%s) is no object identifier".formatted(text, what));
    }
    try {
      return new OID(plain);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "\"%s\" (%s) is no object identifier".formatted(text, what), e);
    }
  }

  private static void fit(PDU pdu, int room) {
    for (OID first : CUT_FIRST) {
      for (VariableBinding bind : texts(pdu)) {
        int over = pdu.getBERLength() - room;
        if (over > 0 && bind.getOid().equals(first)) {
          shorten(bind, Math.max(SHORT, length(bind) - over));
        }
      }
    }
    while (pdu.getBERLength() > room) {
      VariableBinding longest = null;
      for (VariableBinding bind : texts(pdu)) {
        if (longest == null || length(bind) > length(longest)) {
          longest = bind;
        }
      }
      if (longest == null || length(longest) <= CUT.length()) {
        throw new IllegalArgumentException(
            "The notification has too many variables for one packet of %,d bytes"
                .formatted(MAX_PACKET));
      }
      int over = pdu.getBERLength() - room;
      shorten(longest, Math.max(length(longest) / 2, length(longest) - over));
    }
  }

  private static List<VariableBinding> texts(PDU pdu) {
    List<VariableBinding> texts = new ArrayList<>();
    for (VariableBinding bind : pdu.getVariableBindings()) {
      if (bind.getVariable() instanceof OctetString) {
        texts.add(bind);
      }
    }
    return texts;
  }

  private static int length(VariableBinding bind) {
    return ((OctetString) bind.getVariable()).length();
  }

  /** Cuts a text to a number of bytes, never within a character, and says so with dots. */
  private static void shorten(VariableBinding bind, int bytes) {
    if (length(bind) <= bytes) {
      return;
    }
    String text = new String(((OctetString) bind.getVariable()).getValue(), StandardCharsets.UTF_8);
    CharBuffer in = CharBuffer.wrap(text);
    StandardCharsets.UTF_8
        .newEncoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .onUnmappableCharacter(CodingErrorAction.REPLACE)
        .encode(in, ByteBuffer.allocate(Math.max(0, bytes - CUT.length())), true);
    String cut = text.substring(0, in.position()) + CUT;
    bind.setVariable(new OctetString(cut.getBytes(StandardCharsets.UTF_8)));
  }
}
