package io.peerlens.notify.secret;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Key ring that seals secrets: the first seals, all open. A key is known by an id that is computed
 * from it, so that rows say which key they need without giving anything away.
 */
public final class KeyRing {

  private static final Logger LOG = LoggerFactory.getLogger(KeyRing.class);
  private static final int KEY_BYTES = 32;

  private final @Nullable Path file;
  private volatile Loaded loaded;
  private volatile @Nullable String said;

  private record Loaded(List<Key> keys, @Nullable FileTime modified, long size) {}

  /** A key and its id. */
  record Key(String id, SecretKey value) {
    @Override
    public String toString() {
      return "Key[" + id + "]";
    }
  }

  /**
   * The keys of the configuration; there may be none.
   *
   * @throws IllegalArgumentException if a key is damaged or the file cannot be read
   */
  public KeyRing(SecretProperties properties) {
    this.file = properties.keyFile();
    String given = properties.key();
    if (file != null) {
      this.loaded = load(file);
    } else {
      List<String> keys =
          given == null || given.isBlank() ? List.of() : Arrays.asList(given.split(",", -1));
      this.loaded = new Loaded(keys("peerlens.secrets.key", keys), null, 0);
    }
  }

  /** Text of a file with a new key, above the keys of an older text; empty = there was none. */
  public static String newKeyText(String older) {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    StringBuilder text =
        new StringBuilder(
            """
            # Keys that seal the secrets of Peerlens. The first is in use, the others open what they sealed.
            # Without them the secrets are lost: keep a copy apart from those of the database.
            """);
    text.append(Base64.getEncoder().encodeToString(key)).append('\n');
    lines(older).forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  /** The same text with its first key alone. */
  public static String firstKeyText(String text) {
    List<String> all = text.lines().toList();
    StringBuilder kept = new StringBuilder();
    for (String line : all) {
      kept.append(line).append('\n');
      if (!line.isBlank() && !line.strip().startsWith("#")) {
        break;
      }
    }
    return kept.toString();
  }

  /** The key that seals now. */
  Optional<Key> current() {
    return keys().stream().findFirst();
  }

  /** The key with an id. */
  Optional<Key> find(String id) {
    return keys().stream().filter(key -> key.id().equals(id)).findFirst();
  }

  private List<Key> keys() {
    Loaded known = loaded;
    if (file == null) {
      return known.keys();
    }
    try {
      if (!Files.getLastModifiedTime(file).equals(known.modified())
          || Files.size(file) != known.size()) {
        known = load(file);
        loaded = known;
        said = null;
      }
    } catch (IOException | IllegalArgumentException e) {
      // A file that is gone or half written: what was read before still holds.
      String reason = String.valueOf(e.getMessage());
      if (!reason.equals(said)) {
        said = reason;
        LOG.atError()
            .addKeyValue("file", file)
            .log("The keys of before stay in use, but the next start will fail: {}", reason);
      }
      return known.keys();
    }
    return known.keys();
  }

  /**
   * Says who else may read the file. It is no reason not to start: secrets that an orchestrator
   * mounts are often readable by all in a container that has one user only.
   */
  private static void warnOfReaders(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view != null
        && view.readAttributes().permissions().contains(PosixFilePermission.OTHERS_READ)) {
      LOG.atWarn()
          .addKeyValue("file", file)
          .log("Every user of this machine may read the keys of the secrets: chmod 600 the file");
    }
  }

  private static Loaded load(Path file) {
    try {
      FileTime modified = Files.getLastModifiedTime(file);
      String text = Files.readString(file);
      List<Key> keys = keys("The file " + file, lines(text));
      if (keys.isEmpty()) {
        throw new IllegalArgumentException(
            "The file " + file + " of peerlens.secrets.key-file holds no key");
      }
      warnOfReaders(file);
      return new Loaded(keys, modified, Files.size(file));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "The file "
              + file
              + " of peerlens.secrets.key-file cannot be read: "
              + e.getClass().getSimpleName(),
          e);
    }
  }

  private static List<String> lines(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .toList();
  }

  private static List<Key> keys(String where, List<String> texts) {
    List<Key> keys = new ArrayList<>();
    for (String text : texts) {
      byte[] bytes;
      try {
        bytes = Base64.getDecoder().decode(text.strip());
      } catch (IllegalArgumentException e) {
        bytes = new byte[0]; // never in a message: it may be most of a key
      }
      if (bytes.length != KEY_BYTES) {
        throw new IllegalArgumentException(
            where
                + " holds something that is no key (number "
                + (keys.size() + 1)
                + "). A key is 32 random bytes as base64, for instance of: openssl rand -base64"
                + " 32");
      }
      keys.add(new Key(id(bytes), new SecretKeySpec(bytes, "AES")));
    }
    return List.copyOf(keys);
  }

  private static String id(byte[] key) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update("peerlens key id".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(digest.digest(key), 0, 4);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }
}
