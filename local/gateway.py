"""The API's gateway responses, which the emulator's import of the API definition ignores.

On AWS they are part of the definition. Here they are read from the deployed template and sent one
by one; another deployment of the stage activates them.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_apigateway import APIGatewayClient

API = "Api"  # merchants' and payers'; the operators' API has no gateway responses of its own
EXTENSION = "x-amazon-apigateway-gateway-responses"


def put_gateway_responses(
    gateway: "APIGatewayClient", api_id: str, stage: str, processed: dict[str, Any]
) -> None:
    """Send the responses of `processed`, the template after SAM's transform."""
    definition = processed["Resources"][API]["Properties"]["Body"]
    for kind, response in definition[EXTENSION].items():
        gateway.put_gateway_response(
            restApiId=api_id,
            responseType=kind,
            statusCode=str(response["statusCode"]),
            responseParameters=response["responseParameters"],
            responseTemplates=response["responseTemplates"],
        )
    gateway.create_deployment(restApiId=api_id, stageName=stage)
