package io.peerlens.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * User under whom PostgreSQL runs. It refuses to run as root, for good reason, so under root its
 * programs are started without root's rights:
 *
 * <ul>
 *   <li>in a user namespace of their own ({@code unshare -U}), where root is nobody in particular.
 *       Files still belong to root outside, so nothing needs another owner;
 *   <li>where namespaces are forbidden (many containers), as the unprivileged user 65534, to whom
 *       the database's folder is given.
 * </ul>
 *
 * @param prefix words to put before a command
 * @param owner user id that must own the database's folder; -1 = whoever runs this process
 */
record PostgresUser(List<String> prefix, int owner) {

  private static final int NOBODY = 65534;

  /**
   * Finds a way that works here.
   *
   * @param data the database's folder; an existing one keeps its owner
   */
  static PostgresUser forFolder(Path data) throws IOException {
    if (!isRoot()) {
      return new PostgresUser(List.of(), -1);
    }
    int owner = Files.isDirectory(data) ? (Integer) Files.getAttribute(data, "unix:uid") : 0;
    if (owner == 0 && works(List.of("unshare", "-U", "true"))) {
      return new PostgresUser(List.of("unshare", "-U"), -1);
    }
    int user = owner == 0 ? NOBODY : owner;
    List<String> prefix =
        List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups", "--");
    if (works(plus(prefix, List.of("true")))) {
      return new PostgresUser(prefix, user);
    }
    throw new Refusal(
        "PostgreSQL does not run as root, and neither 'unshare -U' nor 'setpriv' works here to take"
            + " root's rights away. Start Peerlens as an ordinary user, or use a database elsewhere"
            + " with --database.");
  }

  List<String> command(List<String> command) {
    return plus(prefix, command);
  }

  /** Lets the server's user reach and own a folder. Nothing to do unless it is another user. */
  void give(Path folder) throws IOException {
    if (owner >= 0) {
      Files.setAttribute(folder, "unix:uid", owner);
    }
  }

  private static boolean isRoot() throws IOException {
    return Files.getFileStore(Path.of("/")).supportsFileAttributeView("unix")
        && "root".equals(System.getProperty("user.name"));
  }

  private static boolean works(List<String> command) {
    try {
      return new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static List<String> plus(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }
}
