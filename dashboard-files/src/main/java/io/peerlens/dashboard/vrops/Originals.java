package io.peerlens.dashboard.vrops;

import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeper of the originals, under {@code x-vrops} beside what was made of them. What a file may cost
 * this way is bounded; an original that is too large leaves its size.
 */
final class Originals {

  private static final String MEMBER = "x-vrops";

  /** Members that say how the pages of vROps were arranged, or lie elsewhere in the format. */
  private static final Set<String> LEFT = Set.of("states", "widgets", "gridsterCoords", "entries");

  private int left;

  Originals(int bytes) {
    this.left = bytes;
  }

  void keep(ObjectNode node, Xml definition) {
    keep(node, "xml", definition.written());
  }

  private void keep(ObjectNode node, String member, String text) {
    ObjectNode kept = node.putObject(MEMBER);
    if (text.length() > ImportLimits.ORIGINAL || text.length() > left) {
      kept.put("leftOut", text.length());
    } else {
      left -= text.length();
      kept.put(member, text);
    }
  }

  void keep(ObjectNode node, JsonNode original) {
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    original
        .properties()
        .forEach(
            member -> {
              if (!LEFT.contains(member.getKey())) {
                copy.set(member.getKey(), member.getValue());
              }
            });
    int length = copy.toString().length();
    if (length > ImportLimits.ORIGINAL || length > left) {
      ObjectNode kept = node.putObject(MEMBER);
      kept.put("leftOut", length);
    } else {
      left -= length;
      node.set(MEMBER, copy);
    }
  }
}
