package io.peerlens.standalone.esxtop;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Form of the text in brackets of a column name: what it tells of owner and instance. */
enum InstanceForm {
  @JsonProperty("none")
  NONE {
    @Override
    @Nullable Place read(String text) {
      return text.isEmpty() ? new Place(HOST, "") : null;
    }
  },
  @JsonProperty("whole")
  WHOLE {
    @Override
    @Nullable Place read(String text) {
      return text.isEmpty() ? null : new Place(HOST, text);
    }
  },
  @JsonProperty("pcpu")
  PCPU {
    @Override
    @Nullable Place read(String text) {
      return text.equals("_Total")
          ? new Place(HOST, "")
          : isNumber(text) ? new Place(HOST, text) : null;
    }
  },
  @JsonProperty("adapter")
  ADAPTER {
    @Override
    @Nullable Place read(String text) {
      return text.startsWith("vmhba") && text.indexOf(':') < 0 ? new Place(HOST, text) : null;
    }
  },
  @JsonProperty("device")
  DEVICE {
    @Override
    @Nullable Place read(String text) {
      int dot = text.indexOf('.');
      return dot > 0 && DEVICES.contains(text.substring(0, dot)) ? new Place(HOST, text) : null;
    }
  },
  @JsonProperty("path")
  PATH {
    @Override
    @Nullable Place read(String text) {
      return text.startsWith("vmhba") && text.indexOf(':') > 0 ? new Place(HOST, text) : null;
    }
  },
  @JsonProperty("machine")
  MACHINE {
    @Override
    @Nullable Place read(String text) {
      int colon = text.indexOf(':');
      return colon > 0 && isNumber(text.substring(0, colon))
          ? new Place(new Owner.Machine(text.substring(colon + 1), text.substring(0, colon)), "")
          : null;
    }
  },
  @JsonProperty("vcpu")
  VCPU {
    @Override
    @Nullable Place read(String text) {
      // number:name:world:vmx-vcpu-0:name; in some versions vmm0:name. Names may hold colons.
      int colon = text.indexOf(':');
      if (colon <= 0 || !isNumber(text.substring(0, colon))) {
        return null;
      }
      for (int at = colon + 1; at < text.length(); at = next(text, at)) {
        for (String begin : VCPU_WORLDS) {
          if (text.startsWith(begin, at)) {
            int digits = at + begin.length();
            int end = digits;
            while (end < text.length() && Character.isDigit(text.charAt(end))) {
              end++;
            }
            boolean whole = end > digits && (end == text.length() || text.charAt(end) == ':');
            int world = text.lastIndexOf(':', at - 2);
            if (whole && world > colon && isNumber(text.substring(world + 1, at - 1))) {
              return new Place(
                  new Owner.Machine(text.substring(colon + 1, world), text.substring(0, colon)),
                  text.substring(digits, end));
            }
          }
        }
      }
      return null;
    }

    private int next(String text, int at) {
      int colon = text.indexOf(':', at);
      return colon < 0 ? text.length() : colon + 1;
    }
  },
  @JsonProperty("disk")
  DISK {
    @Override
    @Nullable Place read(String text) {
      int unit = text.lastIndexOf(':');
      int bus = unit < 0 ? -1 : text.lastIndexOf(':', unit - 1);
      if (bus > 0 && isNumber(text.substring(unit + 1)) && isBus(text.substring(bus + 1, unit))) {
        return new Place(new Owner.Machine(text.substring(0, bus), ""), text.substring(bus + 1));
      }
      return text.isEmpty() ? null : new Place(new Owner.Machine(text, ""), "");
    }

    private boolean isBus(String text) {
      int digits = text.length();
      while (digits > 0 && Character.isDigit(text.charAt(digits - 1))) {
        digits--;
      }
      return digits < text.length() && BUSES.contains(text.substring(0, digits));
    }
  },
  @JsonProperty("uplink")
  UPLINK {
    @Override
    @Nullable Place read(String text) {
      String client = client(text);
      return client != null && numbered(client, "vmnic") ? new Place(HOST, client) : null;
    }
  },
  @JsonProperty("vmkernel")
  VMKERNEL {
    @Override
    @Nullable Place read(String text) {
      String client = client(text);
      return client != null && numbered(client, "vmk") ? new Place(HOST, client) : null;
    }
  },
  @JsonProperty("port")
  PORT {
    @Override
    @Nullable Place read(String text) {
      String client = client(text);
      if (client == null || numbered(client, "vmnic") || numbered(client, "vmk")) {
        return null;
      }
      int portBegin = text.indexOf(':') + 1;
      String port = text.substring(portBegin, text.indexOf(':', portBegin));
      int colon = client.indexOf(':');
      String name =
          colon > 0 && isNumber(client.substring(0, colon)) ? client.substring(colon + 1) : client;
      int adapter = Math.max(name.lastIndexOf(".eth"), name.lastIndexOf(" eth"));
      return adapter > 0 && numbered(name.substring(adapter + 1), "eth")
          ? new Place(
              new Owner.Machine(name.substring(0, adapter), ""), name.substring(adapter + 1))
          : new Place(new Owner.Machine(name, ""), port);
    }
  };

  private static final Owner HOST = new Owner.Host();
  private static final Set<String> DEVICES = Set.of("naa", "t10", "eui", "mpx", "vml");
  private static final Set<String> BUSES = Set.of("scsi", "sata", "ide", "nvme", "usb");
  private static final String[] VCPU_WORLDS = {"vmx-vcpu-", "vmm"};

  /**
   * @param instance empty = the value over all instances
   */
  record Place(Owner owner, String instance) {}

  /** Whether what has this form is the host or surely a virtual machine. */
  boolean isCertain() {
    return this != MACHINE && this != PORT;
  }

  /** What a text tells; null when it has another form. */
  abstract @Nullable Place read(String text);

  /** What is connected to a port of a switch: all behind the second colon. */
  private static @Nullable String client(String text) {
    int first = text.indexOf(':');
    int second = first < 0 ? -1 : text.indexOf(':', first + 1);
    return second < 0 || second + 1 == text.length() ? null : text.substring(second + 1);
  }

  private static boolean numbered(String text, String begin) {
    return text.toLowerCase(Locale.ROOT).startsWith(begin)
        && isNumber(text.substring(begin.length()));
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
