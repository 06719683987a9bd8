package io.peerlens.vcenter.vim;

import java.util.List;

/**
 * News of a property collector.
 *
 * @param version to be given when waiting for the next ones
 * @param truncated whether there are more at once
 * @param empty whether nothing happened while it was waited
 */
public record UpdateSet(
    String version, boolean truncated, List<ObjectUpdate> objects, boolean empty) {

  public UpdateSet {
    objects = List.copyOf(objects);
  }
}
