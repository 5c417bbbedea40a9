// SPDX-License-Identifier: Apache-2.0
package orderdesk;

import java.util.LinkedHashMap;
import java.util.Map;

/** Parameters of a call by their names in the API. */
public abstract class Parameters {
    Parameters() {}

    private final Map<String, Object> members = new LinkedHashMap<>();

    final void put(String name, Object value) {
        members.put(name, value);
    }

    final Map<String, Object> members() {
        return members;
    }
}
