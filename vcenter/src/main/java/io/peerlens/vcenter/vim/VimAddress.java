package io.peerlens.vcenter.vim;

import java.net.URI;
import java.util.Locale;

/**
 * Address of a vCenter, as people write it: {@code https://vc.example.com}, with {@code /sdk} or
 * without.
 *
 * @param host name or address, in lower case, without brackets
 * @param port 443 when nothing else was said
 * @param named whether the port was written
 */
public record VimAddress(String host, int port, boolean named) {

  /**
   * @throws IllegalArgumentException with what is wrong and how to correct it
   */
  public static VimAddress of(URI uri) {
    if (!"https".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
      throw new IllegalArgumentException(
          "'%s' is no address of a vCenter: expected https://HOST or https://HOST:PORT"
              .formatted(uri));
    }
    String path = uri.getPath() == null ? "" : uri.getPath();
    if (uri.getRawUserInfo() != null
        || uri.getRawQuery() != null
        || !(path.isEmpty() || path.equals("/") || path.equals("/sdk") || path.equals("/sdk/"))) {
      throw new IllegalArgumentException(
          "The address of a vCenter is https://HOST or https://HOST:PORT, with /sdk or nothing behind it; account and password are members of their own");
    }
    String host = uri.getHost().toLowerCase(Locale.ROOT);
    if (host.startsWith("[")) {
      host = host.substring(1, host.length() - 1);
    }
    return new VimAddress(host, uri.getPort() < 0 ? 443 : uri.getPort(), uri.getPort() >= 0);
  }

  /**
   * What the vCenter is called in the ids of its objects: the authority of the address, as Telegraf
   * writes it into its tag {@code vcenter}, so that both name an object alike.
   */
  public String identity() {
    String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return named ? shown + ":" + port : shown;
  }
}
