package io.peerlens.ingest.flow;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which side of a flow is the service, and what its port is called.
 *
 * <p>A record has a sender and a receiver, not a client and a server. The side whose port is well
 * known is taken for the service: well known is below 1024 or in the list here. When both ports
 * are, or none is, it is the smaller one, because clients take theirs from the upper end. When the
 * ports are equal (two time servers, two VPN gateways) the smaller address is taken, so that the
 * two directions of one conversation always agree. Nothing is remembered: the same record always
 * gives the same answer.
 *
 * <p>Protocols without ports have port 0, ICMP has type * 256 + code instead.
 */
public final class ServicePorts {

  private static final int DCCP = 33;
  private static final int SCTP = 132;
  private static final int UDP_LITE = 136;

  /**
   * Port, protocols (t = TCP, u = UDP, b = both) and name. The names are IANA's where people use
   * them and otherwise what people say. Ports that systems hand out to clients (32768 and up) are
   * left out, since there a client would be mistaken for a service.
   */
  private static final String SERVICES =
      """
      9 b discard
      20 t ftp-data
      21 t ftp
      22 t ssh
      23 t telnet
      25 t smtp
      43 t whois
      49 b tacacs
      53 b dns
      67 u dhcp
      68 u dhcp-client
      69 u tftp
      79 t finger
      80 b http
      88 b kerberos
      110 t pop3
      111 b rpcbind
      113 t ident
      119 t nntp
      123 u ntp
      135 b msrpc
      137 b netbios-ns
      138 b netbios-dgm
      139 b netbios-ssn
      143 t imap
      161 b snmp
      162 b snmptrap
      177 u xdmcp
      179 t bgp
      319 u ptp-event
      320 u ptp-general
      389 b ldap
      427 b slp
      443 b https
      445 t smb
      464 b kpasswd
      465 t smtps
      500 u ike
      502 t modbus
      514 u syslog
      514 t rsh
      515 t lpd
      520 u rip
      521 u ripng
      546 u dhcpv6-client
      547 u dhcpv6
      548 t afp
      554 b rtsp
      563 t nntps
      587 t submission
      593 t http-rpc
      623 u ipmi
      631 b ipp
      636 t ldaps
      646 b ldp
      749 b kerberos-adm
      830 t netconf
      853 b dns-tls
      860 t iscsi
      873 t rsync
      902 b vmware-auth
      903 t vmware-console
      989 t ftps-data
      990 t ftps
      992 t telnets
      993 t imaps
      995 t pop3s
      1080 t socks
      1194 b openvpn
      1344 t icap
      1352 t lotusnotes
      1433 t mssql
      1434 u mssql-browser
      1494 t citrix-ica
      1521 t oracle
      1645 u radius-old
      1646 u radius-acct-old
      1701 u l2tp
      1720 t h323
      1723 t pptp
      1812 u radius
      1813 u radius-acct
      1883 t mqtt
      1900 u ssdp
      1935 t rtmp
      1985 u hsrp
      2000 t sccp
      2049 b nfs
      2055 u netflow
      2152 u gtp-user
      2123 u gtp-control
      2181 t zookeeper
      2375 t docker
      2376 t docker-tls
      2377 t docker-swarm
      2379 t etcd
      2380 t etcd-peer
      2484 t oracle-tls
      2598 t citrix-session
      3000 t grafana
      3128 t squid
      3260 t iscsi
      3268 t ldap-gc
      3269 t ldaps-gc
      3300 t ceph-mon
      3306 t mysql
      3389 b rdp
      3478 b stun
      3690 t svn
      3784 u bfd
      3868 t diameter
      4222 t nats
      4369 t epmd
      4500 u ipsec-nat
      4739 b ipfix
      4789 u vxlan
      5001 b iperf
      5044 t beats
      5060 b sip
      5061 t sips
      5201 b iperf3
      5222 t xmpp
      5269 t xmpp-server
      5349 b stuns
      5353 u mdns
      5355 b llmnr
      5405 u corosync
      5432 t postgresql
      5480 t vmware-vami
      5601 t kibana
      5666 t nrpe
      5671 t amqps
      5672 t amqp
      5693 t ncpa
      5723 t scom
      5900 t vnc
      5938 b teamviewer
      5984 t couchdb
      5985 t winrm
      5986 t winrm-tls
      6000 t x11
      6081 u geneve
      6343 u sflow
      6379 t redis
      6443 t kubernetes
      6514 b syslog-tls
      6640 t ovsdb
      6653 t openflow
      6667 t irc
      6789 t ceph-mon-v1
      7000 t cassandra
      7001 t cassandra-tls
      7077 t spark
      7474 t neo4j
      7687 t bolt
      7946 b docker-gossip
      8000 t vmware-vmotion
      8006 t proxmox
      8008 t http-alt
      8080 t http-proxy
      8086 t influxdb
      8089 t splunkd
      8123 t clickhouse-http
      8125 b statsd
      8140 t puppet
      8200 t vault
      8300 t consul-rpc
      8301 b consul-serf
      8443 t https-alt
      8472 u vxlan-linux
      8500 t consul
      8530 t wsus
      8531 t wsus-tls
      8600 b consul-dns
      8883 t mqtts
      9000 t clickhouse
      9042 t cassandra-cql
      9090 t prometheus
      9092 t kafka
      9093 t alertmanager
      9100 t printer-raw
      9200 t elasticsearch
      9300 t elasticsearch-node
      9389 t adws
      9418 t git
      9443 t vsphere-client
      9997 t splunk-in
      10000 t ndmp
      10050 t zabbix-agent
      10051 t zabbix
      10250 t kubelet
      11211 b memcached
      15672 t rabbitmq-admin
      16509 t libvirt
      16514 t libvirt-tls
      24007 t glusterd
      25672 t rabbitmq-peer
      26257 t cockroachdb
      27017 t mongodb
      """;

  private static final Map<Integer, String> TCP_NAMES = new HashMap<>();
  private static final Map<Integer, String> UDP_NAMES = new HashMap<>();
  // A bit for each port, because this is asked for every record.
  private static final long[] TCP_KNOWN = new long[1024];
  private static final long[] UDP_KNOWN = new long[1024];

  private static final Map<Integer, String> ICMP_NAMES =
      Map.of(
          0, "echo-reply",
          3, "unreachable",
          4, "source-quench",
          5, "redirect",
          8, "echo",
          9, "router-advertisement",
          10, "router-solicitation",
          11, "time-exceeded",
          13, "timestamp",
          14, "timestamp-reply");

  private static final Map<Integer, String> ICMP_V6_NAMES =
      Map.of(
          1, "unreachable",
          2, "packet-too-big",
          3, "time-exceeded",
          128, "echo",
          129, "echo-reply",
          133, "router-solicitation",
          134, "router-advertisement",
          135, "neighbour-solicitation",
          136, "neighbour-advertisement",
          143, "mld-report");

  static {
    Arrays.fill(TCP_KNOWN, 0, 1024 / 64, -1L);
    Arrays.fill(UDP_KNOWN, 0, 1024 / 64, -1L);
    TCP_KNOWN[0] &= ~1L; // port 0 says nothing
    UDP_KNOWN[0] &= ~1L;
    for (String line : SERVICES.split("\n")) {
      String[] part = line.split(" ");
      int port = Integer.parseInt(part[0]);
      if (!part[1].equals("u")) {
        TCP_NAMES.put(port, part[2]);
        TCP_KNOWN[port >>> 6] |= 1L << port;
      }
      if (!part[1].equals("t")) {
        UDP_NAMES.put(port, part[2]);
        UDP_KNOWN[port >>> 6] |= 1L << port;
      }
    }
  }

  private ServicePorts() {}

  /** Whether a protocol has ports at all. */
  public static boolean hasPorts(int protocol) {
    return protocol == Protocols.TCP
        || protocol == Protocols.UDP
        || protocol == SCTP
        || protocol == DCCP
        || protocol == UDP_LITE;
  }

  /** Whether a port is below 1024 or in the list; 0 is not. */
  public static boolean known(int protocol, int port) {
    long[] known = protocol == Protocols.UDP || protocol == UDP_LITE ? UDP_KNOWN : TCP_KNOWN;
    return (known[port >>> 6] & 1L << port) != 0;
  }

  /**
   * The service's port.
   *
   * @param icmp type * 256 + code, or negative when not said; used for ICMP only
   * @return 0..65535; 0 for protocols without ports
   */
  public static int port(int protocol, int srcPort, int dstPort, int icmp) {
    if (hasPorts(protocol)) {
      return side(protocol, srcPort, dstPort) < 0 ? srcPort : dstPort;
    }
    return isIcmp(protocol) && icmp >= 0 ? icmp & 0xFFFF : 0;
  }

  /**
   * Whether a record's bytes go to the service, not from it. Replies of ICMP come from it.
   *
   * @param icmp type * 256 + code, or negative when not said; used for ICMP only
   * @param destinationFirst whether the receiver's address is smaller than the sender's, which
   *     decides between equal ports
   */
  public static boolean towardsService(
      int protocol, int srcPort, int dstPort, int icmp, boolean destinationFirst) {
    if (isIcmp(protocol) && icmp >= 0) {
      return !isReply(protocol, icmp >>> 8);
    }
    int side = hasPorts(protocol) ? side(protocol, srcPort, dstPort) : 0;
    return side == 0 ? destinationFirst : side > 0;
  }

  /** Positive when the receiver is the service, negative when the sender is, 0 = cannot be told. */
  private static int side(int protocol, int srcPort, int dstPort) {
    boolean srcKnown = known(protocol, srcPort);
    if (srcKnown != known(protocol, dstPort)) {
      return srcKnown ? -1 : 1;
    }
    if (srcPort == 0 || dstPort == 0) {
      return Integer.compare(dstPort, srcPort); // the one that is there
    }
    return Integer.compare(srcPort, dstPort);
  }

  static boolean isIcmp(int protocol) {
    return protocol == Protocols.ICMP || protocol == Protocols.ICMP6;
  }

  private static boolean isReply(int protocol, int type) {
    return protocol == Protocols.ICMP
        ? type == 0 || type == 14 || type == 16 || type == 18
        : type == 129 || type == 136;
  }

  /**
   * What people call a service.
   *
   * @param port as {@link #port} gives it
   * @return {@code https}, {@code echo}; null when it has no name here
   */
  public static @Nullable String name(int protocol, int port) {
    return switch (protocol) {
      case Protocols.TCP, SCTP, DCCP -> TCP_NAMES.get(port);
      case Protocols.UDP, UDP_LITE -> UDP_NAMES.get(port);
      case Protocols.ICMP -> ICMP_NAMES.get(port >>> 8);
      case Protocols.ICMP6 -> ICMP_V6_NAMES.get(port >>> 8);
      default -> null;
    };
  }
}
