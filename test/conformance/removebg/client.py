"""Drives the PyPI package `removebg`: one call of each kind, with its endpoint assigned."""
import sys

import removebg.removebg as client

endpoint, key, photo, photo_url, folder = sys.argv[1:6]
client.API_ENDPOINT = endpoint
remover = client.RemoveBg(key, f"{folder}/errors.log")

remover.remove_background_from_img_file(photo)
remover.remove_background_from_img_file(photo, size="full", bg_color="green")
remover.remove_background_from_img_url(photo_url, new_file_name=f"{folder}/by-url.png")
with open(photo, "rb") as file:
    import base64

    text = base64.b64encode(file.read()).decode()
remover.remove_background_from_base64_img(text, size="hd", new_file_name=f"{folder}/by-base64.png")

try:
    client.RemoveBg("unknown", f"{folder}/errors.log").remove_background_from_img_file(photo)
except client.requests.HTTPError as error:
    print("refused", error.response.status_code, error.response.json()["errors"][0]["code"])
