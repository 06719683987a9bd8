package io.peerlens.ingest;

import io.peerlens.ingest.key.GroupKey;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectDescription;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReport;
import io.peerlens.ingest.key.SetKey;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Catalog of objects, metric groups and sets; the decoder's port to the store. Asked only about
 * what a decoder meets for the first time or sees changed, in one call for a whole batch.
 */
public interface Catalog {

  /**
   * Registers what is new and takes over what changed, in a transaction of its own. Several nodes
   * may ask for the same at once and get the same ids and positions. Asking twice changes nothing.
   */
  Answer apply(Request request);

  /**
   * @param objects objects to be found or made without a set, before those of the sets
   * @param sets sets to be found or made, with their objects
   * @param metrics metric names that a group must have; a unit takes the place of one that is not
   *     known yet, never that of another
   * @param updates objects whose attributes changed
   * @param maxNewObjects objects beyond this many are not made; their sets stay unknown
   * @param maxNewMetrics metric names beyond this many are not added
   * @param maxNewSets sets beyond this many, and {@link #SETS_OF_A_NEW_OBJECT} for each object that
   *     this request makes, are not made
   */
  record Request(
      List<NewObject> objects,
      List<NewSet> sets,
      Map<GroupKey, List<Metric>> metrics,
      List<AttributeUpdate> updates,
      int maxNewObjects,
      int maxNewMetrics,
      int maxNewSets) {

    /** A request of sets and updates alone. */
    public Request(
        List<NewSet> sets,
        Map<GroupKey, List<Metric>> metrics,
        List<AttributeUpdate> updates,
        int maxNewObjects,
        int maxNewMetrics,
        int maxNewSets) {
      this(List.of(), sets, metrics, updates, maxNewObjects, maxNewMetrics, maxNewSets);
    }
  }

  /**
   * So many sets a new object may bring along without counting as too many new sets: a host has one
   * for each group, core, disk and network card, and the first day of a large installation is not
   * an accident.
   */
  int SETS_OF_A_NEW_OBJECT = 100;

  /**
   * @param report taken over, as {@link ObjectDescription} says; one that says that the object is
   *     gone makes none
   * @param timeMicros of the record that tells so
   */
  record NewObject(ObjectKey key, ObjectReport report, long timeMicros) {}

  /**
   * @param attributes what its tags say, taken over as {@link ObjectDescription} says
   * @param timeMicros of the sample that tells so
   * @param wantsLastRow whether the newest stored row is needed, to go on computing rates
   */
  record NewSet(SetKey key, ObjectAttributes attributes, long timeMicros, boolean wantsLastRow) {}

  /** News of a known object, in the order in which they were read. */
  record AttributeUpdate(int objectId, ObjectReport report, long timeMicros) {}

  /**
   * @param objects in the order of {@link Request#objects}
   * @param sets in the order of {@link Request#sets}
   * @param groups every group that the request names in sets or metrics
   * @param newObjects how many objects were made
   * @param newMetrics how many metric names were added
   * @param newSets how many sets were made
   */
  record Answer(
      List<ObjectAnswer> objects,
      List<SetAnswer> sets,
      Map<GroupKey, KnownGroup> groups,
      int newObjects,
      int newMetrics,
      int newSets) {}

  /** Result for a set that was asked for. */
  sealed interface SetAnswer permits KnownSet, TooMany {}

  /** Result for an object that was asked for. */
  sealed interface ObjectAnswer permits KnownObject, NeverKnown, TooMany {}

  /** An object of which nothing is known but that it is gone: it is not made. */
  record NeverKnown() implements ObjectAnswer {}

  /** Reason why a set or an object was not made. */
  enum TooMany implements SetAnswer, ObjectAnswer {
    /** Its object would be one too many. */
    OBJECTS,
    /** It would be one too many itself. */
    SETS
  }

  /**
   * @param metrics all metric names of the group by position
   */
  record KnownGroup(int id, List<String> metrics) {}

  /**
   * @param description all that is known of the object now
   */
  record KnownObject(int id, ObjectDescription description) implements ObjectAnswer {}

  /**
   * @param lastRow the newest stored row, when asked for and there is one
   */
  record KnownSet(int id, KnownObject object, @Nullable LastRow lastRow) implements SetAnswer {}

  /**
   * @param values by position, NaN = no value
   */
  record LastRow(long timeMicros, double[] values) {}
}
