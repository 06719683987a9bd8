package io.peerlens.ingest.flow;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Protocol names: IANA's keywords of the protocols above IP, as collectors write them in place of
 * the number.
 */
public final class Protocols {

  public static final int ICMP = 1;
  public static final int TCP = 6;
  static final int UDP = 17;
  public static final int ICMP6 = 58;

  /** Number for a protocol that a record does not name. IANA keeps it for no protocol. */
  public static final int UNKNOWN = 255;

  /** By number, from 0; a colon parts keywords of the same number. */
  private static final String KEYWORDS =
      """
      HOPOPT|ICMP|IGMP|GGP|IPv4|ST|TCP|CBT|EGP|IGP|BBN-RCC-MON|NVP-II|PUP|ARGUS|EMCON|XNET|CHAOS
      UDP|MUX|DCN-MEAS|HMP|PRM|XNS-IDP|TRUNK-1|TRUNK-2|LEAF-1|LEAF-2|RDP|IRTP|ISO-TP4|NETBLT
      MFE-NSP|MERIT-INP|DCCP|3PC|IDPR|XTP|DDP|IDPR-CMTP|TP++|IL|IPv6|SDRP|IPv6-Route|IPv6-Frag
      IDRP|RSVP|GRE|DSR|BNA|ESP|AH|I-NLSP|SWIPE:SWIPE (deprecated)|NARP|MOBILE:Min-IPv4|TLSP|SKIP
      IPv6-ICMP:ICMPv6|IPv6-NoNxt|IPv6-Opts|host internal:any-host-internal-protocol|CFTP
      local network:any-local-network|SAT-EXPAK|KRYPTOLAN|RVD|IPPC
      distributed FS:any-distributed-file-system|SAT-MON|VISA|IPCV|CPNX|CPHB|WSN|PVP|BR-SAT-MON
      SUN-ND|WB-MON|WB-EXPAK|ISO-IP|VMTP|SECURE-VMTP|VINES|IPTM:TTP|NSFNET-IGP|DGP|TCF|EIGRP
      OSPFIGP:OSPF|Sprite-RPC|LARP|MTP|AX.25|IPIP|MICP:MICP (deprecated)|SCC-SP|ETHERIP|ENCAP
      private encryption scheme:any-private-encryption-scheme|GMTP|IFMP|PNNI|PIM|ARIS|SCPS|QNX|A/N
      IPComp|SNP|Compaq-Peer|IPX-in-IP|VRRP|PGM|0-hop:any-0-hop-protocol|L2TP|DDX|IATP|STP|SRP
      UTI|SMP|SM:SM (deprecated)|PTP|ISIS over IPv4|FIRE|CRTP|CRUDP|SSCOPMCE|IPLT|SPS|PIPE|SCTP
      FC|RSVP-E2E-IGNORE|Mobility Header|UDPLite|MPLS-in-IP|manet|HIP|Shim6|WESP|ROHC|Ethernet
      AGGFRAG|NSH
      """;

  private static final WordTable TABLE = table();

  /** Where numbers stand for protocols whose keywords cannot be words. */
  private static final String NUMBER = "ip-";

  private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9.+-]{0,30}");
  private static final String[] WORDS = words();

  private Protocols() {}

  private static WordTable table() {
    Map<String, Integer> numbers = new HashMap<>();
    int number = 0;
    for (String keywords : KEYWORDS.strip().split("[|\n]", -1)) {
      for (String keyword : keywords.split(":", -1)) {
        put(numbers, keyword, number);
      }
      number++;
    }
    put(numbers, "experimental", 253);
    for (String unknown : new String[] {"reserved", "unassigned", "unknown"}) {
      put(numbers, unknown, UNKNOWN);
    }
    return new WordTable(numbers);
  }

  private static void put(Map<String, Integer> numbers, String keyword, int number) {
    numbers.put(keyword, number);
    numbers.put(keyword.toLowerCase(Locale.ROOT), number);
    numbers.put(keyword.toUpperCase(Locale.ROOT), number);
  }

  private static String[] words() {
    String[] words = new String[256];
    Arrays.setAll(words, number -> NUMBER + number);
    int number = 0;
    for (String keywords : KEYWORDS.strip().split("[|\n]", -1)) {
      String first = keywords.split(":", -1)[0].toLowerCase(Locale.ROOT).replace(' ', '-');
      if (WORD.matcher(first).matches()) {
        words[number] = first;
      }
      number++;
    }
    return words;
  }

  /** A protocol in one word of small letters, digits, dots, plus and minus. */
  static String word(int number) {
    return WORDS[number & 0xFF];
  }

  /** The number of a word as {@link #word} gives it; negative when it is none. */
  static int ofWord(String word) {
    return Arrays.asList(WORDS).indexOf(word);
  }

  /** The number of a keyword, or {@link WordTable#ABSENT}. */
  public static int number(byte[] b, int from, int to) {
    return TABLE.find(b, from, to);
  }
}
