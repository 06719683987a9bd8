package io.peerlens.vcenter.vim;

import static io.peerlens.vcenter.vim.VimTransport.nextChild;
import static io.peerlens.vcenter.vim.VimTransport.skip;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Search for files in all folders of a datastore. vCenter has a host do it, as a task that may take
 * minutes. Only names, sizes and times are asked for, so no file is opened. The account needs the
 * privilege {@code Datastore.Browse} on the datastore.
 */
public final class DatastoreSearch {

  /** For the answer with all files, which vCenter writes at once. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final Duration SOON = Duration.ofSeconds(60);

  private final VimClient client;
  private final Moref task;

  private DatastoreSearch(VimClient client, Moref task) {
    this.client = client;
    this.task = task;
  }

  /** How far a search is. */
  public enum State {
    /** It waits, or it runs. */
    RUNNING,
    /** Its files can be read. */
    FOUND,
    /** It came to nothing; see {@link #trouble}. */
    FAILED
  }

  /** More files were found than are wanted. */
  public static final class TooManyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyException() {
      super(null, null, false, false);
    }
  }

  /**
   * Begins to search.
   *
   * @param name of the datastore now
   * @param patterns of the names of files, such as {@code *.vmdk}
   * @throws VimException.Fault such as {@code NoPermission}
   */
  public static DatastoreSearch start(
      VimClient client, Moref datastore, String name, Collection<String> patterns)
      throws VimException {
    XmlValue browser = client.property(datastore, "browser");
    Moref of = browser == null ? null : browser.moref().orElse(null);
    if (of == null) {
      throw new VimException.Fault("NotSupported", "the datastore has no browser");
    }
    XmlValue task =
        client.value(
            "SearchDatastoreSubFolders_Task",
            of,
            SOON,
            arguments -> {
              arguments.text("datastorePath", "[" + name + "]");
              arguments.element(
                  "searchSpec",
                  spec -> {
                    spec.element(
                        "details",
                        details ->
                            details
                                .flag("fileType", false)
                                .flag("fileSize", true)
                                .flag("modification", true)
                                .flag("fileOwner", false));
                    patterns.forEach(pattern -> spec.text("matchPattern", pattern));
                  });
            });
    return new DatastoreSearch(
        client,
        task.moref()
            .orElseThrow(
                () ->
                    new VimException.Unavailable("The search was answered without a task", null)));
  }

  /** How far it is. */
  public State state() throws VimException {
    XmlValue state = client.property(task, "info.state");
    return switch (state == null ? "" : state.text()) {
      case "success" -> State.FOUND;
      case "error" -> State.FAILED;
      default -> State.RUNNING;
    };
  }

  /** Why it failed, in the words of vCenter; empty = it does not say. */
  public String trouble() throws VimException {
    XmlValue error = client.property(task, "info.error");
    if (error == null) {
      return "";
    }
    String text = error.text("localizedMessage");
    XmlValue fault = error.at("fault");
    return text.isEmpty() && fault != null ? fault.type() : text;
  }

  /** Ends it; one that has ended stays as it is. */
  public void cancel() throws VimException {
    try {
      client.call("CancelTask", task, SOON, arguments -> {}, XmlValue::read);
    } catch (VimException.Fault e) {
      // It ended by itself, or it cannot be ended; vCenter forgets it in either case.
    }
  }

  /**
   * Reads what it found, while it comes.
   *
   * @param most files
   * @throws TooManyException if there are more; those before were given
   */
  public void files(int most, Consumer<DatastoreFile> taker) throws VimException {
    client.call(
        "RetrievePropertiesEx",
        client.content().propertyCollector(),
        PATIENCE,
        arguments -> {
          arguments.element(
              "specSet",
              spec -> {
                new PropertySpec(task.type(), List.of("info.result")).write(spec);
                spec.element("objectSet", set -> set.reference("obj", task).flag("skip", false));
              });
          arguments.element("options", options -> options.number("maxObjects", 1));
        },
        new Reader(most, taker)::read);
  }

  private static final class Reader {
    private final Consumer<DatastoreFile> taker;
    private int left;

    Reader(int most, Consumer<DatastoreFile> taker) {
      this.left = most;
      this.taker = taker;
    }

    /** The answer: returnval, objects, propSet, val, and in it an element for each folder. */
    @Nullable Void read(XMLStreamReader xml) throws XMLStreamException {
      descend(xml, List.of("returnval", "objects", "propSet", "val"), 0);
      return null;
    }

    private void descend(XMLStreamReader xml, List<String> path, int at) throws XMLStreamException {
      while (nextChild(xml)) {
        if (at == path.size()) {
          folder(xml);
        } else if (xml.getLocalName().equals(path.get(at))) {
          descend(xml, path, at + 1);
        } else {
          skip(xml);
        }
      }
    }

    private void folder(XMLStreamReader xml) throws XMLStreamException {
      String folder = "";
      while (nextChild(xml)) {
        switch (xml.getLocalName()) {
          case "folderPath" -> folder = xml.getElementText();
          case "file" -> {
            if (left-- <= 0) {
              throw new TooManyException();
            }
            XmlValue file = XmlValue.read(xml);
            double bytes = file.number("fileSize");
            taker.accept(
                new DatastoreFile(
                    folder,
                    file.text("path"),
                    bytes >= 0 ? (long) bytes : -1,
                    time(file.text("modification"))));
          }
          default -> skip(xml);
        }
      }
    }

    private static @Nullable Instant time(String text) {
      try {
        return text.isEmpty() ? null : OffsetDateTime.parse(text).toInstant();
      } catch (DateTimeParseException e) {
        return null;
      }
    }
  }
}
