package io.peerlens.alert;

import io.peerlens.api.model.AlertExplanation;
import java.util.List;

/**
 * Details of an alert that was opened or changed, as they are stored.
 *
 * @param explanation without its subject and what is around it, which are looked up when it is read
 * @param members the worst ones, with their units
 * @param memberCount of all
 * @param around what else goes on, with units
 */
record Detail(AlertExplanation explanation, List<Member> members, int memberCount, Around around) {}
