package io.peerlens.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {

  @TempDir Path parent;

  @Test
  void aNewDirectoryIsPrivateAndCarriesItsFormat() throws IOException {
    Path root = parent.resolve("new");
    try (DataDirectory data = DataDirectory.open(root)) {
      assertThat(data.root().resolve("version")).hasContent("1\n");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void onlyOneInstanceMayHoldADirectory() {
    Path root = parent.resolve("held");
    DataDirectory first = DataDirectory.open(root);
    first.announce(new DataDirectory.Run(4711, "http://localhost:1", "k:1", 5));
    assertThatThrownBy(() -> DataDirectory.open(root))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("Another Peerlens is running")
        .hasMessageContaining("process 4711, http://localhost:1");
    first.close();
    DataDirectory.open(root).close();
  }

  @Test
  void aRunningInstanceIsSeenOnlyWhileItHoldsTheLock() {
    Path root = parent.resolve("run");
    DataDirectory data = DataDirectory.open(root);
    DataDirectory.Run run = new DataDirectory.Run(1, "http://localhost:1", "k:1", 5);
    data.announce(run);
    assertThat(DataDirectory.look(root).running()).contains(run);
    // A killed instance leaves its file, but not its lock.
    data.close();
    assertThat(DataDirectory.look(root).running()).isEmpty();
  }

  @Test
  void aDirectoryOfAnotherFormatIsRefused() throws IOException {
    Path root = parent.resolve("newer");
    DataDirectory.open(root).close();
    Files.writeString(root.resolve("version"), "7\n");
    assertThatThrownBy(() -> DataDirectory.open(root))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("has format 7; this version of Peerlens reads format 1");
  }

  @Test
  void aDirectoryWithForeignFilesIsRefusedAndLeftAlone() throws IOException {
    Path root = Files.createDirectory(parent.resolve("foreign"));
    Files.writeString(root.resolve("thesis.txt"), "precious");
    assertThatThrownBy(() -> DataDirectory.open(root))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("holds files that Peerlens did not make");
    assertThat(root).isDirectoryNotContaining("glob:**/{lock,version,logs}");
  }

  @Test
  void aFileInItsPlaceIsRefused() throws IOException {
    Path file = Files.writeString(parent.resolve("file"), "");
    assertThatThrownBy(() -> DataDirectory.open(file))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("is a file");
  }

  @Test
  void secretsAreForTheirOwnerOnly() throws IOException {
    try (DataDirectory data = DataDirectory.open(parent.resolve("secret"))) {
      data.writeSecret(data.adminTokenFile(), "s3cret\n");
      assertThat(data.adminTokenFile()).hasContent("s3cret\n");
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(data.adminTokenFile())))
          .isEqualTo("rw-------");
    }
  }
}
