package io.peerlens.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.io.ClassPathResource;

/** Digests of the scripts that stand in a page of ours, for its Content-Security-Policy. */
final class InlineScripts {

  private static final Pattern SCRIPT = Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL);

  private InlineScripts() {}

  /**
   * The scripts of a page as sources of {@code script-src} (CSP Level 3, section 2.3.1), each after
   * a space; empty where the page has none or is not there.
   */
  static String digests(String page) {
    ClassPathResource resource = new ClassPathResource(page);
    if (!resource.exists()) {
      return "";
    }
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      StringBuilder sources = new StringBuilder();
      Matcher scripts = SCRIPT.matcher(resource.getContentAsString(StandardCharsets.UTF_8));
      while (scripts.find()) {
        byte[] digest = sha256.digest(scripts.group(1).getBytes(StandardCharsets.UTF_8));
        sources.append(" 'sha256-").append(Base64.getEncoder().encodeToString(digest)).append("'");
      }
      return sources.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
